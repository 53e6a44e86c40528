// The texts of buttons, and those beside them, in languages into which the rest of the page is not translated: whatever is
// missing here is in English. scripts/bundle.mjs puts each language into the module that its forms load.
//
// They are ours because those of the form library are not reliable: its Danish “No” is “None”, and its Arabic “Clear” the
// word for “obvious”.

const NAMES = [
  ...["submit", "next", "back", "clear", "cancel", "yes", "no", "addEntry", "removeEntry", "done", "search", "select"],
  ...["required", "page", "thanks", "noResults"],
];

/** By language, in the order of the names. */
const LANGUAGES = {
  ar: "إرسال|التالي|السابق|مسح|إلغاء|نعم|لا|إضافة|إزالة|تم|اكتب للبحث…|اختر…|هذا الحقل مطلوب.|الصفحة {0} من {1}|شكرًا لك|لا توجد نتائج",
  bg: "Изпращане|Напред|Назад|Изчистване|Отказ|Да|Не|Добавяне|Премахване|Готово|Въведете за търсене…|Изберете…|Това поле е задължително.|Страница {0} от {1}|Благодарим ви|Няма резултати",
  ca: "Envia|Següent|Anterior|Esborra|Cancel·la|Sí|No|Afegeix|Elimina|Fet|Escriviu per cercar…|Seleccioneu…|Aquest camp és obligatori.|Pàgina {0} de {1}|Gràcies|Cap resultat",
  cs: "Odeslat|Další|Zpět|Vymazat|Zrušit|Ano|Ne|Přidat|Odebrat|Hotovo|Začněte psát…|Vyberte…|Toto pole je povinné.|Strana {0} z {1}|Děkujeme|Žádné výsledky",
  cy: "Cyflwyno|Nesaf|Yn ôl|Clirio|Canslo|Ie|Na|Ychwanegu|Tynnu|Iawn|Teipiwch i chwilio…|Dewiswch…|Mae angen llenwi’r maes hwn.|Tudalen {0} o {1}|Diolch|Dim canlyniadau",
  da: "Send|Næste|Tilbage|Ryd|Annuller|Ja|Nej|Tilføj|Fjern|Færdig|Skriv for at søge…|Vælg…|Feltet skal udfyldes.|Side {0} af {1}|Tak|Ingen resultater",
  el: "Υποβολή|Επόμενο|Πίσω|Καθαρισμός|Ακύρωση|Ναι|Όχι|Προσθήκη|Αφαίρεση|Τέλος|Πληκτρολογήστε για αναζήτηση…|Επιλέξτε…|Το πεδίο είναι υποχρεωτικό.|Σελίδα {0} από {1}|Ευχαριστούμε|Κανένα αποτέλεσμα",
  et: "Saada|Edasi|Tagasi|Tühjenda|Tühista|Jah|Ei|Lisa|Eemalda|Valmis|Otsimiseks kirjutage…|Valige…|See väli on kohustuslik.|Lehekülg {0}/{1}|Täname|Tulemusi pole",
  eu: "Bidali|Hurrengoa|Atzera|Garbitu|Utzi|Bai|Ez|Gehitu|Kendu|Eginda|Idatzi bilatzeko…|Hautatu…|Eremu hau nahitaezkoa da.|{0}/{1} orria|Eskerrik asko|Emaitzarik ez",
  fa: "ارسال|بعدی|قبلی|پاک کردن|لغو|بله|خیر|افزودن|حذف|تمام|برای جستجو بنویسید…|انتخاب کنید…|این فیلد الزامی است.|صفحهٔ {0} از {1}|سپاسگزاریم|نتیجه‌ای یافت نشد",
  fi: "Lähetä|Seuraava|Takaisin|Tyhjennä|Peruuta|Kyllä|Ei|Lisää|Poista|Valmis|Hae kirjoittamalla…|Valitse…|Tämä kenttä on pakollinen.|Sivu {0}/{1}|Kiitos|Ei tuloksia",
  fil: "Isumite|Susunod|Bumalik|I-clear|Kanselahin|Oo|Hindi|Magdagdag|Alisin|Tapos na|Mag-type para maghanap…|Pumili…|Kailangang sagutan ito.|Pahina {0} ng {1}|Salamat|Walang resulta",
  he: "שליחה|הבא|הקודם|ניקוי|ביטול|כן|לא|הוספה|הסרה|סיום|הקלידו לחיפוש…|בחירה…|זהו שדה חובה.|עמוד {0} מתוך {1}|תודה|אין תוצאות",
  hi: "जमा करें|आगे|पीछे|साफ़ करें|रद्द करें|हाँ|नहीं|जोड़ें|हटाएँ|हो गया|खोजने के लिए लिखें…|चुनें…|यह फ़ील्ड भरना ज़रूरी है।|पृष्ठ {0} / {1}|धन्यवाद|कोई परिणाम नहीं",
  hr: "Pošalji|Dalje|Natrag|Očisti|Odustani|Da|Ne|Dodaj|Ukloni|Gotovo|Upišite za pretraživanje…|Odaberite…|Ovo polje je obavezno.|Stranica {0} od {1}|Hvala|Nema rezultata",
  hu: "Beküldés|Tovább|Vissza|Törlés|Mégse|Igen|Nem|Hozzáadás|Eltávolítás|Kész|Írjon be szöveget a kereséshez…|Válasszon…|Ez a mező kötelező.|{0}/{1}. oldal|Köszönjük|Nincs találat",
  id: "Kirim|Berikutnya|Kembali|Hapus pilihan|Batal|Ya|Tidak|Tambah|Hapus|Selesai|Ketik untuk mencari…|Pilih…|Kolom ini wajib diisi.|Halaman {0} dari {1}|Terima kasih|Tidak ada hasil",
  is: "Senda|Áfram|Til baka|Hreinsa|Hætta við|Já|Nei|Bæta við|Fjarlægja|Lokið|Skrifaðu til að leita…|Veldu…|Þennan reit þarf að fylla út.|Síða {0} af {1}|Takk fyrir|Engar niðurstöður",
  ja: "送信|次へ|戻る|クリア|キャンセル|はい|いいえ|追加|削除|完了|入力して検索…|選択…|必須項目です。|{0} / {1} ページ|ありがとうございました|結果がありません",
  ka: "გაგზავნა|შემდეგი|უკან|გასუფთავება|გაუქმება|დიახ|არა|დამატება|წაშლა|მზადაა|აკრიფეთ საძიებლად…|აირჩიეთ…|ეს ველი სავალდებულოა.|გვერდი {0} / {1}|გმადლობთ|შედეგები არ არის",
  kk: "Жіберу|Келесі|Артқа|Тазалау|Бас тарту|Иә|Жоқ|Қосу|Жою|Дайын|Іздеу үшін теріңіз…|Таңдаңыз…|Бұл өрісті толтыру міндетті.|{0}-бет / {1}|Рақмет|Нәтиже жоқ",
  ko: "제출|다음|이전|지우기|취소|예|아니요|추가|제거|완료|입력하여 검색…|선택…|필수 항목입니다.|{0} / {1} 페이지|감사합니다|결과 없음",
  lt: "Pateikti|Toliau|Atgal|Išvalyti|Atšaukti|Taip|Ne|Pridėti|Pašalinti|Atlikta|Rašykite, jei norite ieškoti…|Pasirinkite…|Šis laukas privalomas.|{0} puslapis iš {1}|Ačiū|Rezultatų nėra",
  lv: "Iesniegt|Tālāk|Atpakaļ|Notīrīt|Atcelt|Jā|Nē|Pievienot|Noņemt|Gatavs|Rakstiet, lai meklētu…|Izvēlieties…|Šis lauks ir obligāts.|{0}. lapa no {1}|Paldies|Nav rezultātu",
  mk: "Испрати|Следно|Назад|Избриши|Откажи|Да|Не|Додај|Отстрани|Готово|Пишувајте за пребарување…|Изберете…|Ова поле е задолжително.|Страница {0} од {1}|Ви благодариме|Нема резултати",
  ms: "Hantar|Seterusnya|Kembali|Kosongkan|Batal|Ya|Tidak|Tambah|Alih keluar|Selesai|Taip untuk mencari…|Pilih…|Medan ini wajib diisi.|Halaman {0} daripada {1}|Terima kasih|Tiada hasil",
  no: "Send|Neste|Tilbake|Tøm|Avbryt|Ja|Nei|Legg til|Fjern|Ferdig|Skriv for å søke…|Velg…|Feltet må fylles ut.|Side {0} av {1}|Takk|Ingen treff",
  ro: "Trimite|Înainte|Înapoi|Șterge alegerea|Anulează|Da|Nu|Adaugă|Elimină|Gata|Tastați pentru a căuta…|Alegeți…|Acest câmp este obligatoriu.|Pagina {0} din {1}|Vă mulțumim|Niciun rezultat",
  ru: "Отправить|Далее|Назад|Очистить|Отмена|Да|Нет|Добавить|Удалить|Готово|Введите текст для поиска…|Выберите…|Это поле обязательно.|Страница {0} из {1}|Спасибо|Ничего не найдено",
  sk: "Odoslať|Ďalej|Späť|Vymazať|Zrušiť|Áno|Nie|Pridať|Odstrániť|Hotovo|Začnite písať…|Vyberte…|Toto pole je povinné.|Strana {0} z {1}|Ďakujeme|Žiadne výsledky",
  sl: "Pošlji|Naprej|Nazaj|Počisti|Prekliči|Da|Ne|Dodaj|Odstrani|Končano|Vnesite za iskanje…|Izberite…|To polje je obvezno.|Stran {0} od {1}|Hvala|Ni rezultatov",
  sr: "Pošalji|Dalje|Nazad|Obriši|Otkaži|Da|Ne|Dodaj|Ukloni|Gotovo|Kucajte za pretragu…|Izaberite…|Ovo polje je obavezno.|Stranica {0} od {1}|Hvala|Nema rezultata",
  sv: "Skicka|Nästa|Tillbaka|Rensa|Avbryt|Ja|Nej|Lägg till|Ta bort|Klar|Skriv för att söka…|Välj…|Fältet är obligatoriskt.|Sida {0} av {1}|Tack|Inga träffar",
  sw: "Tuma|Endelea|Rudi|Futa|Ghairi|Ndiyo|Hapana|Ongeza|Ondoa|Imekamilika|Andika ili kutafuta…|Chagua…|Sehemu hii ni lazima.|Ukurasa {0} wa {1}|Asante|Hakuna matokeo",
  th: "ส่ง|ถัดไป|ย้อนกลับ|ล้าง|ยกเลิก|ใช่|ไม่ใช่|เพิ่ม|ลบ|เสร็จสิ้น|พิมพ์เพื่อค้นหา…|เลือก…|จำเป็นต้องกรอกช่องนี้|หน้า {0} จาก {1}|ขอบคุณ|ไม่พบผลลัพธ์",
  tr: "Gönder|İleri|Geri|Temizle|İptal|Evet|Hayır|Ekle|Kaldır|Tamam|Aramak için yazın…|Seçin…|Bu alan zorunludur.|Sayfa {0}/{1}|Teşekkürler|Sonuç yok",
  uk: "Надіслати|Далі|Назад|Очистити|Скасувати|Так|Ні|Додати|Вилучити|Готово|Введіть текст для пошуку…|Виберіть…|Це поле обов’язкове.|Сторінка {0} з {1}|Дякуємо|Нічого не знайдено",
  ur: "جمع کرائیں|آگے|پیچھے|صاف کریں|منسوخ کریں|ہاں|نہیں|شامل کریں|ہٹائیں|مکمل|تلاش کے لیے لکھیں…|منتخب کریں…|یہ خانہ پُر کرنا لازمی ہے۔|صفحہ {0} از {1}|شکریہ|کوئی نتیجہ نہیں",
  vi: "Gửi|Tiếp|Quay lại|Xóa lựa chọn|Hủy|Có|Không|Thêm|Xóa|Xong|Nhập để tìm kiếm…|Chọn…|Trường này là bắt buộc.|Trang {0}/{1}|Cảm ơn bạn|Không có kết quả",
  zh:
    "提交|下一页|上一页|清除|取消|是|否|添加|删除|完成|输入以搜索…|请选择…|此项必填。|第 {0} 页，共 {1} 页|谢谢|没有结果",
  "zh-tw":
    "提交|下一頁|上一頁|清除|取消|是|否|新增|移除|完成|輸入以搜尋…|請選擇…|此欄位必填。|第 {0} 頁，共 {1} 頁|謝謝|沒有結果",
};

/** @type {Record<string, Record<string, string>>} */
export const basicTexts = Object.fromEntries(
  Object.entries(LANGUAGES).map(([tag, texts]) => [
    tag,
    Object.fromEntries(texts.split("|").map((text, place) => [NAMES[place], text])),
  ]),
);
